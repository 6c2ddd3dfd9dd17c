export { isPublicAddress } from './public-address.js';
