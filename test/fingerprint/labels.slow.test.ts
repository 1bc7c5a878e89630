import './labels.test.ts';
