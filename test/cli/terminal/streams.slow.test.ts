// The same tests at full size.
import './streams.test.ts';
