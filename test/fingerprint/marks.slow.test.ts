import './marks.test.ts';
