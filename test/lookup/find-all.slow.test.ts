// The same tests at full size.
import './find-all.test.ts';
