import './agreement.test.ts';
