// The same tests at full size.
import './wide.test.ts';
