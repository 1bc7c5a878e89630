// The same tests at full size.
import './labels.test.ts';
