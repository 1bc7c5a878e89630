import './removals.test.ts';
