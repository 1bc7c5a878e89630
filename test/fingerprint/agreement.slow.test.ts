// The same tests at full size.
import './agreement.test.ts';
