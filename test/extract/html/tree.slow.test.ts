// The same tests at full size.
import './tree.test.ts';
