import './hostile.test.ts';
