import './ids.test.ts';
