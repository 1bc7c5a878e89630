// The same tests at full size.
import './marks.test.ts';
