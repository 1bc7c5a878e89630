import './memory-index.test.ts';
