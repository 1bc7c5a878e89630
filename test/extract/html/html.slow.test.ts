// The same tests at full size.
import './html.test.ts';
