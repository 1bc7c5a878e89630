// The same tests at full size.
import './pair-finder.test.ts';
