// The same tests at full size.
import './playground.test.ts';
