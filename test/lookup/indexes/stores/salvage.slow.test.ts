import './salvage.test.ts';
