// The same tests at full size.
import './engines.test.ts';
