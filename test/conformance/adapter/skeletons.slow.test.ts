// The same tests at full size.
import './skeletons.test.ts';
