// The same tests at full size.
import './parallel.test.ts';
