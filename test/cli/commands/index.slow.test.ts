// The same tests at full size.
import './index.test.ts';
