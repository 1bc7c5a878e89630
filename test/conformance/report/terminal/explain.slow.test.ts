// The same tests at full size.
import './explain.test.ts';
