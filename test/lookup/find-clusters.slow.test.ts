// The same tests at full size.
import './find-clusters.test.ts';
