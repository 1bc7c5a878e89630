// The same tests at full size.
import './smoke.test.ts';
