import './harness.test.ts';
