import { composeProduct } from '../../control-plane/product.js';

/** The declarations of the slices of the product. */
export const DECLARED = composeProduct().declared();
