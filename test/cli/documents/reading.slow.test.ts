// The same tests at full size.
import './reading.test.ts';
