// The same tests at full size.
import './streaming.test.ts';
