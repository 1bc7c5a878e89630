// The same tests at full size.
import './without-webassembly.test.ts';
