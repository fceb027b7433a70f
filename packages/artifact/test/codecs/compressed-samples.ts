/** A short text and what each compressor makes of it, so that damage can be tried where no compressor is installed. */
export const plainSample = Buffer.from(Array.from({ length: 60 }, (_, n) => `line ${String(n)} of the plain text ${String((n * n) % 97)}\n`).join(""));

const encoded = {
  gzip:
    "H4sIAAAAAAAAA23UO24EIRCE4XxPwREWmuZxHAdjeaXR2sEEPr5lTVX2xyVo+qPhfL2P8izfn+X6OsrP+fF6l+v4vcrzcf5HFaJ6Rw2ifkcB0b6jThuOO0vI" +
    "Wt7ZgCy0btJJVG9BNnTMDdlSd5VQQhmpNG1a0WUqJJnZFJKNM7IJn5VwhleSzpZqJZ5wm+QzNRiNfKpqNgJKbdsIaOsqGwF10TYC2h5HEuquSULb25JQuk8S" +
    "WsoIaIg2CKhpDoKAlrYNAko/LQJqcg8CWnoJQUBDeoHvy60QUPVKBNJ1Bgop7CTUhdBJKNRnJ6HqlSTkkjhBGpJOQEsGnYCmPzUCml5JQNM18Y0pTALytklA" +
    "PlASkFtJ/J5dk4T8PxOQ2RMnSBeW+EV7Jf7Rromf9Hj8ARTZXde5BgAA",
  bzip2:
    "QlpoOTFBWSZTWQ24VjwAAk7ZgAAQQAB/4CNlxEAwAUkMDTQNESgAwlP1VRkAAAIpU/U9TUxNDMUZE2twSdqLmEqh646yIzuWdg3RfbovBeDs26atmjXf97EF" +
    "EkYQRhCEFFBghGBYiwyigSG7zr1zX7cUC/OkKbe8ZROWs6Cad82tqlrxO6QVq6AzN+AMzfIDM3xXj3nOV2b88UFZipmbSldBVMKpZmiKzAZuUkQAJm4nHuEl" +
    "QACVboKxbF7LBr07CL3hiVkBneamdKlC0yRE1Na6LrGxVVaatA3BX0CvYK/QVwCsArcFaBXIK4BXICuwCv4FYAVyCv8XckU4UJANuFY8",
  xz:
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Aa4AQddADYaSh8IoCYDTQad+LKlrLBEdhOULye3z57tqSuaBCoLNJNBPRGmkRlslHVKjlrbc+VavnHg2oShPYaJ" +
    "EwEzlGqN3PndSURc81w4+T9tlxz3xbUJ4NJXtWbjpj7PTmXie1yonBHTOxPC8qnXbzk/4LRU7gfjV5BdeHeRzPrYbBim93Ii99sad8Tv1wPaTZbXSIJhYJjC" +
    "laybv7SlzLRWAMcnWm4cJOJDj2pGy9nk++PhND3zo9QytVPIcJU+JBMeHwpuHCw15fn8uKbeODHSy/0YRJqMHnHT9M1zJ+pvGCxzrDhDOZTUa7rF3qQjhVqm" +
    "jDsiHfHRyADqX6lPhogeJCeNGsGMwc8AAABdRY7o5IryIwABowK5DQAAvna/TrHEZ/sCAAAAAARZWg==",
  lzma:
    "XQAAgAD//////////wA2GkofCKAmA00GnfiypaywRHYTlC8nt8+e7akrmgQqCzSTQT0RppEZbJR1So5a23PlWr5x4NqEoT2GiRMBM5Rqjdz53UlEXPNcOPk/" +
    "bZcc98W1CeDSV7Vm46Y+z05l4ntcqJwR0zsTwvKp1285P+C0VO4H41eQXXh3kcz62GwYpvdyIvfbGnfE79cD2k2W10iCYWCYwpWsm7+0pcy0VgDHJ1puHCTi" +
    "Q49qRsvZ5Pvj4TQ986PUMrVTyHCVPiQTHh8KbhwsNeX5/Lim3jgx0sv9GESajB5x0/TNcyfqbxgsc6w4QzmU1Gu6xd6kI4Vapow7Ih3x0cgA6l+pT4aIHiQn" +
    "jRrBsTb4lv/7BITg",
  zstd:
    "KLUv/QRYXQcAQgweFrAl6YBxiyBmmcPD1JFSypSSPH7JcCADsrO7Tvdrc/zJe7WqK7q959o4ntImJrqSWcnqSyW9Z+5M60/N2BpSujEjL1NP26WbnjMkQ+pa" +
    "+xVR7ykWp6Sdyc5Fpc+JvnrIUQhhGJBRFJRiEALAQDCKQDECBgYZhRCGdahheL7/Z5CjJDkGEfgwJ/zsG2C6/dcPaIG5HsMkUjPaJ4sQufT0e13i711mUzlo" +
    "24nEQpAI7cwr22quOUf1AkQLYAIoINPLpqSzGazqo9ILPviqgPcdJMm6N3Ywk2QABAbBmRZX/lowu4aUSLxGVY7cZ20=",
  lz4:
    "BCJNGGRApxkCAADxDGxpbmUgMCBvZiB0aGUgcGxhaW4gdGV4dCAwChsAHzEbAAASMRsAHzIbAAASNBsAHzMbAAASORsAHzQbAAAiMTYcAB81HAAAIjI1HAAf" +
    "NhwAABMzOAAfNxwAABM0cAAfOBwAABM2pwAfORwAABM43gAfMRUBARIzjAAfMRYBARMyVQAfMRgBAhM3OgAPGgEBIzcyHQAPHAEBBBwADxwBARQzrAAPHQEB" +
    "FDY6AA8eAQETOVYBHzEfAQEUM+cADyABARM3GQIfMiABARMxdAAfMiEBARM1VwAfMiEBARM5ywEfMiEBARM0WwEfMiEBARM5BQEfMiIBARQ0dAAPIgEBFDlX" +
    "AA8iAQEUNegADyIBARI4sQEfMiEBARM2WwEfMyEBARMyCAIfMyEBARM4VwAfMyEBARM1rQAfMyEBARMyeAEfMyEBARM4CgMfMyEBARM2PgEfMyEBARQzywAP" +
    "IQEBFDE6AA8hAQIDzwEfMyIBAgMdAB80IgEBEzQFAR80IgEBEzPoAB80IgEBFDE6AA8iAQEEcwAPIQEBEzklAh80IQEBEzgEAR80IQEBEzdbAR80IQEBFDc6" +
    "AA8hAQEUN3QADyEBAQQdAB81IQEBBFcAHzUhAQEEkQAfNSEBAQTLAB81IQEBBAUBHzUiAQEDPgEfNSEBAQR3AR81IQEBBLEBHzUhAQEE6wEfNSEBARQ2dAAO" +
    "IQFQdCA4NgoAAAAA+LX98A==",
} as const;

export type SampleName = keyof typeof encoded;

export const sampleNames: readonly SampleName[] = ["gzip", "bzip2", "xz", "lzma", "zstd", "lz4"];

export function compressedSample(name: SampleName): Buffer {
  return Buffer.from(encoded[name], "base64");
}
