// The same tests at full size.
import './ids.test.ts';
