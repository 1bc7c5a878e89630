import './without-webassembly.test.ts';
