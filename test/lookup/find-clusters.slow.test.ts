import './find-clusters.test.ts';
