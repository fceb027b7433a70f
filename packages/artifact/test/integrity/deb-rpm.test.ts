import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { complaintsOf, isInstalled, recorded, refusedAt, verified, Workshop } from "./judged.js";

vi.setConfig({ testTimeout: 120_000 });

const workshop = new Workshop();
afterAll(() => {
  workshop.remove();
});

describe.skipIf(!isInstalled("dpkg-deb", "md5sum"))("Debian packages (skipped without dpkg-deb)", () => {
  const build = (compression: string, sums: (text: string) => string): string => {
    workshop.write("deb/DEBIAN/control", "Package: sample\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.invalid>\nDescription: sample\n");
    workshop.write("deb/usr/share/sample/one", "one\n");
    workshop.write("deb/usr/share/sample/two words", "two\n");
    workshop.write("deb/etc/sample", "configuration\n");
    workshop.write("deb/DEBIAN/conffiles", "/etc/sample\n");
    workshop.write("deb/DEBIAN/md5sums", sums(workshop.run("sh", "-c", "cd deb && md5sum usr/share/sample/*")));
    workshop.run("dpkg-deb", `-Z${compression}`, "-b", "deb", "sample.deb");
    return workshop.path("sample.deb");
  };

  test.each(["gzip", "xz", "zstd", "none"])("sums of control.tar are checked in data.tar (%s)", async (compression) => {
    const found = await verified(build(compression, (text) => text));
    expect([found.verdict, complaintsOf(found.inventory)]).toEqual(["holds", []]);
    expect(found.manifests).toMatchObject([{ kind: "deb-md5sums", verdict: "holds", members: 2, extra: 0 }]);
  });

  test("a file with another sum, one without and one that is missing are named", async () => {
    const file = build("xz", (text) => `${text.replace(/^[0-9a-f]{8}/u, "00000000").split("\n").slice(0, 1).join("\n")}\n${"0".repeat(32)}  usr/share/sample/gone\n`);
    expect(complaintsOf(await recorded(file))).toEqual([
      "digest_mismatch data.tar.xz!/data.tar!/usr/share/sample/one",
      "manifest_extra_member data.tar.xz!/data.tar!/usr/share/sample/two words",
      "manifest_missing_member data.tar.xz!/data.tar!/usr/share/sample/gone",
      "contradiction data.tar.xz!/data.tar!/usr/share/sample/one by the Debian package's md5sums",
    ]);
    expect(await refusedAt(file)).toBe("data.tar.xz!/data.tar!/usr/share/sample/one");
  });
});

describe.skipIf(!isInstalled("rpmbuild"))("rpm packages (skipped without rpmbuild)", () => {
  const build = (payload: string): Buffer => {
    workshop.write("rpm/files/first", "first file\n");
    workshop.write("rpm/files/second", "second file\n");
    const spec = `Name: sample\nVersion: 1\nRelease: 1\nSummary: sample\nLicense: none\nBuildArch: noarch\n%description\nsample\n%install\nmkdir -p %{buildroot}/opt/sample\ncp ${workshop.path("rpm/files")}/* %{buildroot}/opt/sample/\nln %{buildroot}/opt/sample/first %{buildroot}/opt/sample/linked\nln -s first %{buildroot}/opt/sample/pointer\n%files\n/opt/sample\n%ghost /opt/sample/ghost\n`.replace("ln -s first", "touch %{buildroot}/opt/sample/ghost\nln -s first");
    workshop.write("rpm/sample.spec", spec);
    workshop.run("rpmbuild", "-bb", "--define", `_topdir ${workshop.path("rpm/top")}`, "--define", `_binary_payload ${payload}`, "rpm/sample.spec");
    return readFileSync(workshop.path("rpm/top/RPMS/noarch/sample-1-1.noarch.rpm"));
  };

  test.each(["w9.gzdio", "w3.zstdio"])("digests of files and of the payload before compression hold (%s)", async (payload) => {
    const found = await verified(build(payload));
    expect([found.verdict, complaintsOf(found.inventory)]).toEqual(["holds", []]);
    expect(found.manifests).toMatchObject([{ kind: "rpm-header", verdict: "holds", members: 3, missing: 0 }]);
    const content = found.members.find(({ logical_path }) => logical_path.endsWith("payload.cpio"));
    expect(content?.declared_checks).toBeGreaterThan(0);
  });

  test("a file whose digest in the header is another is named; the header's own digest is broken by that", async () => {
    const bytes = build("w9.gzdio");
    const { members } = await verified(bytes);
    const digest = members.find(({ logical_path }) => logical_path.endsWith("/second"))?.sha256 ?? "";
    const at = bytes.indexOf(digest);
    expect(at).toBeGreaterThan(0);
    bytes.write(digest.startsWith("0") ? "1" : "0", at, "latin1");
    const complaints = complaintsOf(await recorded(bytes));
    expect(complaints).toContain("contradiction header by rpm signature header");
    expect(complaints.filter((one) => one.startsWith("contradiction") && one.endsWith("second by the rpm header's file digests"))).toHaveLength(1);
    expect(await refusedAt(bytes)).toBe("header");
  });
});
