import './find-all.test.ts';
