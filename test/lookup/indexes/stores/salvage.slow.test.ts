// The same tests at full size.
import './salvage.test.ts';
