import { isIP } from 'node:net';
import type { HttpRequest } from './request.ts';

/** As CloudFront names the viewer. A caller that bypasses it can name anyone, but nothing that is no address. */
export function viewerAddressOf(headers: HttpRequest['headers']): string | undefined {
  const viewer = headers['x-viewer-address'] ?? '';
  return isIP(viewer) === 0 ? undefined : viewer;
}
