/**
 * Values of lookup3 hashlittle2 with both initial values 0, as b·2³² + c, computed with a C program that reads bytes one
 * by one and falls through the cases of the last block, compiled by gcc. The twin had no part in them.
 */

/** Reads the values for 0, 1, 2 … bytes, in hexadecimal. */
const read = (values: string): bigint[] => values.split(' ').map((value) => BigInt(`0x${value}`));

/** The first n bytes of this text (ASCII, 72 bytes). */
export const text = 'This is the time for all good men to come to the aid of their country...';

export const valuesOfText = read(
  'deadbeefdeadbeef adb61076789c5f5c ae1c081b3bc5fa8d 34273e47ece15240 db3b23e38f1c631d 7a661fc657e4e85f ' +
    '430b2956db229ab8 07a48362aa5ccd48 0342de251f70869a 75778c7cd161ccbd 2701582f2a296d64 7140767f0808d8c8 ' +
    'ade0c2f4ed32afb1 f99474effdc5a8a9 1e58570949d33d38 74247bff1e131b60 dee2fe691e258a0a 0634587a79890fa2 ' +
    'bb069b31065bb31c b01f9aacc021fb76 aedcea9f5b6efda0 15ad01ae92bc5222 ac50206d19462749 cfacdcdf3519f7c1 ' +
    '484cedcb71ccdbd8 c2b159a8752b60fd b587de7b8d4402a7 1d5f53d718d11da2 2870e9b5d507f082 d1c7890b3c7ce8b3 ' +
    'f4c82c655db12ce3 da2bcd6010541bc4 1cd4658f4b883552 f928377fed727a84 b1dbff48c97dcfad 38d841759e2f20ba ' +
    'a80259ad310b01c3 90b7723cdd5427c2',
);

/** The first n of the bytes ff fe fd fc …, each one less than the one before. */
export const valuesOfBytes = read(
  'deadbeefdeadbeef fc8b99062c43362b cb2a9077204029f3 bac2c1240cad3b2e f241b092a2712ecf f4e5a9d76b1790b4 ' +
    'd12fb26f447e5189 29ed54c9432a1fce 06d09df2e0dd7919 2320e997d9fe0c26 956b609a3a42faf1 035de179c851793e ' +
    '0f6ed1222ad766f0 fee9ca32e868e993 f5ce23198108c621 2811691aab672e4c 0ee4f6f8118d69a3 af554028cb23350b ' +
    '59275c19574bca92 a2bcadcbc5a72541 1a614156303b4d57 1ab0a7a5ff37e93a 53a9e894120b898e b3af57c6daef8573 ' +
    '38b1e482cbe3b805 0a76049e1cfbba91',
);
