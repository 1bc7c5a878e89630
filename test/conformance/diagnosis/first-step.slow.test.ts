// The same tests at full size.
import './first-step.test.ts';
