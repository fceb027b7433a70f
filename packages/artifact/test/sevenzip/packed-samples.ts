/** A short text and bytes full of branches, packed by 7-Zip 26.02, so that its methods can be tried where it is not installed. */
export const textSample = Buffer.from(Array.from({ length: 60 }, (_, n) => `line ${String(n)} of the plain text ${String((n * n) % 97)}\n`).join(""));
const pattern = [0xe8, 0x0f, 0x84, 0xe9, 0, 0xff, 0x10, 0x20, 0];
export const codeSample = Buffer.from(Array.from({ length: 1200 }, (_, at) => pattern[(at * at + (at >> 3)) % 9] ?? 0));

const encoded = {
  ppmd:
    "N3q8ryccAARG3tZfJQEAAAAAAAB2AAAAAAAAAPDyg/oA5yePuRFdBpKAN4L2+RT/xz9WHseCoT4idew2kEszkYFbaSdQ1WraX0JhBm9bzjXn1qmNmAAAAAAAAAAAAA" +
    "AAD/Jif9cmN47IFzBfgQruPOfJzHuQkeBj3cxztXqXN/SxYFBGheVbFwCBa/KHowuhji0Q9gGO3hHJIOpbmaFuPdhqBhJRncOAb2X1Uf45uL7vL+1wRq0FWJqjme2F" +
    "toK+/6cGQ4vjVKOFremiXhO96/AY4X0egZYlmrMNJA6OjHgG1/V6sqHiE/0H/CIKYS6Ra3bNgWF33rnh06HH+nKHKOvAir/HoVoVa2RJeLG55XTF+mSIPVh5Yuvl64" +
    "HdmeF41UOhoqR2ztowt3CuI96GoSgZvOlepiqCX71CmPCtGMWs1xygAAEEBgABCYElAAcLAQABIwMEAQUGAAABAAyLaQAIDQIJhLAKAZdQGaYU2V3XAAAFAhkLAAAA" +
    "AAAAAAAAAAARFQBjAG8AZABlAAAAdABlAHgAdAAAABQSAQDdy/rFNYHdAd3L+sU1gd0BFQoBACCApIEggKSBAAA=",
  bcj2:
    "N3q8ryccAASVoXnxdwEAAAAAAACmAAAAAAAAAILz3kwAdAO8DfYEl58rHfkg783mN/93LBqLYOjdNN7AD9BRLzjlVvX+vakR/pmciXj52ikOHN49fL/Xf1XzKjnXq1" +
    "wmq8qUh+hEmakAQomWXe8dHuEW60j6yQpdPB06SUn1Q2evo1NxhxaEQri7EloShWViKUI9B5PlrHHdY30RSIXd/hpc2oIQ8+sMcU004OCebVykTlRonM2so/xLsdtS" +
    "gSwY8YD/9cr29S/FQ9eSOglLJmfX67URt9H9rNr5JuNZ+10CyspCJLvsBZ0vHA6O+t3GsuwinrXxqmw7isih99qkBxFtH5Ldg8ktLZf0tS5p5R4eH6cO54cqy1A2qp" +
    "Svk9MKA4VWJw+BY50leSZbNjOiOKo9MtB+i+pd163ZghabXkNmdHJSzieWQ5exujQBqC+uVBCpQkNYB8xdyGu7Yc0dRsIMM2q+PaoI/ABhmZGYZA2sqnd4DwAAAAAA" +
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABBAYABAmBVhcFBQAHCwEABCMDAQEFXQAQAAAjAwEBBV0AEAAAIwMBAQVdABAAABQDAwEbBAEFAAQBAwICBgEADA" +
    "AAi2mLaQAIDQIJhLAKAZdQGaYU2V3XAAAFAhkPAAAAAAAAAAAAAAAAAAAAERUAYwBvAGQAZQAAAHQAZQB4AHQAAAAUEgEA3cv6xTWB3QHdy/rFNYHdARUKAQAggKSB" +
    "IICkgQAA",
  lzma:
    "N3q8ryccAATbuuR20QEAAAAAAAAhAAAAAAAAAJmH5dEAdAO8D2zIIwG4ekPGG9clJK0dzCmKB2hgfwY6YTIlMIcr0XDWX/5ZuDnuC2c3GMcM+5oUTTFu8/DWxgU3QW" +
    "LsDskqTFNCy2ytzbCqgeXDBQ4G9urMtS/5xNgOo82XzY2B5CRZUtPSGzXL5b04X57LhNwSfzn1mV+JYciosdMQtvzLB2r112lRl/PI1Qyf0De9NZhhUjRSyMdXEa67" +
    "Wwr8+QKTWgntbmslL4WBI/bull4ZZ8fvUjxasaTaI4YixuyPGEq/x0a6vJ9NJmb8Hc4t1ExGjVJIKSL27a0CEGZKTTElttoruX5THud9OmPjQaiBo8iLKUGN16Egva" +
    "HstcGtny2KX1yk9UhqpfiUbqCcbbQQ2grbggGnblXzewWLyBpBo6Kz4HOqmbl4qeYqteYxuGM9OYOSnIHjOP4UzQsyHfZc7rcVLDUPMo+pQOHHgVnKL6+Avz831Rrw" +
    "a9G4Vza1Qvd1Gw+j9KRkRiYoAAAAgTMHrg/VOjwoVyTT/rN+L4mSvbnrh7IHwftEtocb6LDRnNU9RTrGq1XQSKKRocmCE6btC+X2HKzhXxebXN9+cc26PHl87VTurE" +
    "Ic917fGgDJIZIM3peNz8SB/uOolaAAAAAXBoFtAQlkAAcLAQABIwMBAQVdABAAAAx2CgHy8G1uAAA=",
  delta:
    "N3q8ryccAATVPQa1lgIAAAAAAAAhAAAAAAAAAA2TBLrgC2gCKV0AdAO8F1CIgBYQZ1FsarUZ7qdOqctQzfElpA6pl7SG8miCA/0iTEYbc4ToQzagytJwQqbz/TaeoD" +
    "3fm8eepBOtY8b9b6HvFEY1MGuKwk2sa+ssIIOaXPdp1GGbxG/fT6n4MrBhmVcrJzFz4OsUFDLHKpsEvhrWPSh0GgAjN8pfVhoIPPnqEi31dxocwZehGLvotWE+ZQto" +
    "5/LwWcXYKjqVgrXPnzmYLmWHmleI4NpU2Mro+wMK2VbE/RDfsQX3tS5LpnUJQlpQtUfgyCw1cUG387PW+egrc08f4p4G9nnISZIOHF4AmAZTX568iUqBRo8TtOYsz3" +
    "WtMoD0zC6DBVrcMqxd1mj0uJkA4PhgAGhsvppHUS1fS7N6cc9Z8iPsQ9qtq5roU9ZlB0tySPFt/0O+vIt+35yJjV4OC2xu/haHnAdPzfypObXN5Llu6CSVqPtc+35K" +
    "T/dzuIBTiW9yKmzEWB9WidUz+h4X0FdYHDapj2szDuk2rFQCVLtGC5qPolomZ625uHrMclt+92gfPDdowVPjknDga+msaE1MQ6gfiTttO7TY62MmH7JkEHZTHGaACc" +
    "osb/sjNBU/OPYelF+s/T0IvYW8usBGMkmVLNOgzsTRwypvlM+M/ZOtQqR5oyshqCFjk4A4oC4JfXECy22ggiQCN5cAvDk1wIfC/eQcsw8SzvTXwT5KYvR1wJPLSeMv" +
    "ve8uPB4T7k7Ck8gbKGOgfbyVNIxEoyN3sAAAAIEzB64P1UPoSVck0c/j944kT9nQFHN2THPGyoDyOmIlurp5xg+3S38oyLMmcQSoxTCj+x7XzAgLHe9kkYNZ9O9DpI" +
    "GYqjiyBPtQShJQexO6lWPdsbIxYMb9fz5+fToRAAAAABcGgjEBCWUABwsBAAEjAwEBBV0AEAAADHYKAa9ybCgAAA==",
} as const;

export type PackedSample = keyof typeof encoded;

export const packedSamples: readonly PackedSample[] = ["ppmd", "bcj2", "lzma", "delta"];

export function packedSample(name: PackedSample): Buffer {
  return Buffer.from(encoded[name], "base64");
}
