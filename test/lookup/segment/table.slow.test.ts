import './table.test.ts';
