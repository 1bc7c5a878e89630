export { gunzip, gunzipStream, withoutGzipSuffix } from './inflate.ts';
