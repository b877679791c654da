interface FormPage {
  getByLabel(label: string, options?: { readonly exact?: boolean }): { fill(text: string): Promise<void> };
}

/** Works in a browser or without one. */
export async function fillPaymentLink(page: FormPage): Promise<void> {
  await page.getByLabel('Invoice number').fill('INV-9');
  await page.getByLabel('Amount').fill('20');
  await fillName(page);
}

export async function fillName(page: FormPage): Promise<void> {
  await page.getByLabel("Patient's first name").fill('Ada');
  await page.getByLabel('Last name', { exact: true }).fill('Okafor');
}
