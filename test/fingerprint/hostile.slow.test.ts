// The same tests at full size.
import './hostile.test.ts';
