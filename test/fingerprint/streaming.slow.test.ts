import './streaming.test.ts';
