// The same tests at full size.
import './process.test.ts';
