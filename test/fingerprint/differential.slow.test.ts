import './differential.test.ts';
