import './postgres.test.ts';
