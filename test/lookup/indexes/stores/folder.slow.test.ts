import './folder.test.ts';
