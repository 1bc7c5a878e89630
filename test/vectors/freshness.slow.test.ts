// The same tests at full size.
import './freshness.test.ts';
