/** Small Debian packages with documentation of every kind: some of each section, at even steps of their names. */
export const MIXED_PACKAGES =
  `apt-dater-host archmage aspell-am aspell-tl astropy-utils bacula-director-pgsql bazel-rules-cc bepasty bootcd
bup-doc ceilometer-common charliecloud-common check-pgbackrest cl-drakma cl-puri clamav-unofficial-sigs
conservation-code cylc-flow debci-collector debian-edu-router-fai debiandoc-sgml deluge dict-freedict-eng-rom
dict-freedict-kha-eng dict-freedict-tur-deu diploma dkimpy-milter docbook-xsl-saxon draai dracut-live drraw
elpa-ace-window elpa-bongo elpa-crdt elpa-eproject elpa-find-file-in-project elpa-orgalist elpa-paredit elpa-xref
elpa-yaml enjarify epoptes-client fancontrol fcitx-table-quick-classic fonts-beteckna fonts-gfs-porson
fonts-lohit-deva-marathi fonts-pc fonts-thai-tlwg-ttf gameconqueror gasic gavodachs2-server
globus-gsi-cert-utils-progs golang-1.19-doc golang-github-aws-smithy-go-dev golang-github-christrenkamp-goxpath-dev
golang-github-coredhcp-coredhcp-dev golang-github-hashicorp-atlas-go-dev golang-github-nebulouslabs-go-upnp-dev
golang-github-weppos-publicsuffix-go-dev grunt guilt hp-ppd hunspell-de-med ibus-table-old-hungarian-rovas impose+
initramfs-tools isolinux jmeter-mail kaptive keepass2-plugin-keepasshttp lacme-accountd larch
lemonldap-ng-uwsgi-app lib32gcc-s1-mips64r6-cross lib64gcc-s1-mipsel-cross libaeonbits-owner-java
libanimal-sniffer-java-doc libanyevent-dbi-perl libauthen-captcha-perl libbusiness-onlinepayment-perl
libcatmandu-importer-getjson-perl libchatbot-eliza-perl libcompile-command-annotations-java libconfig-crontab-perl
libcps-perl libctl-doc libdbicx-sugar-perl libdist-inkt-perl libeclipse-ui-views-properties-tabbed-java
libextutils-autoinstall-perl libfile-which-perl libflute-java libfreecontact-doc libgcc-s1-mips64-cross
libghc-appar-doc libghc-blaze-builder-doc libghc-call-stack-doc libghc-concurrent-output-doc
libghc-crypto-random-doc libghc-dice-doc libghc-entropy-doc libghc-flexible-defaults-doc libghc-gi-xlib-doc
libghc-here-doc libghc-hsp-doc libghc-hxt-http-doc libghc-iwlib-doc libghc-libffi-doc libghc-memotrie-doc
libghc-monadcryptorandom-doc libghc-network-run-doc libghc-parallel-doc libghc-prim-uniq-doc libghc-refact-doc
libghc-say-doc libghc-simple-sendfile-doc libghc-storable-record-doc libghc-tasty-hslua-doc
libghc-th-expand-syns-doc libghc-typed-process-doc libghc-vector-builder-doc libghc-witherable-doc libghc-yesod-doc
libgit-pureperl-perl libglobus-gsi-openssl-error-doc libgomp1-mips64el-cross libgusb-doc libhtml-html5-outline-perl
libhttp-throwable-perl libjakarta-annotation-api-java libjmock2-java libjs-coffeescript libjs-jquery-jush
libjs-jquery-ui-theme-trontastic libjs-require-css libjs-xmlextras libjson-multivalueordered-perl libkcapi-doc
liblog-dispatch-perl libmath-basecnv-perl libmaven-resolver-transport-http-java libmodule-compile-perl
libmoosex-method-signatures-perl libn32gcc-s1-mipsr6el-cross libnet-dhcp-perl libnet-sftp-foreign-perl
libnetfilter-cthelper-doc libobjc4-mipsr6-cross libobject-pluggable-perl libpdf-create-perl
libplexus-classworlds-java libpod-sax-perl librasqal3-doc librcs-perl libreoffice-parlatype librtf-writer-perl
libspullara-cli-parser-java libsql-splitstatement-perl libtemplate-plugin-dbi-perl libtest-kwalitee-perl
libtext-asciitable-perl libtime-olsontz-download-perl libuutf-ocaml-doc libweb-scraper-perl libws-commons-util-java
libxml-handler-yawriter-perl linuxdoc-tools-info lqa lutefisk-doc lvm2-dbusd manderlbot mon-client
monajat-screenlet mono-xsp4-base monodoc-http mu-cite munipack mysql-sandbox nemo-owncloud node-bignumber
node-connect node-deflate-js node-eslint-utils node-he node-leaflet.markercluster node-nock node-puka
node-scheduler node-traverse node-with nrpe-ng ofono-dev opencubicplayer-doc orthanc-imagej ostree-push parsewiki
pd-autopreset pflogsumm php-codecoverage php-horde-auth php-horde-perms php-illuminate-queue php-net-ldap2
php-symfony-amazon-sns-notifier php-symfony-http-client php-symfony-password-hasher php-symfony-spot-hit-notifier
php-validate placement-api pmtools postfix-policyd-spf-python postgresql-15-pgtap puppet-module-designate
puppet-module-panko puppet-module-puppetlabs-vcsrepo pyqt6-charts-dev python-aiosqlite-doc python-chardet-doc
python-django-crispy-forms-foundation-doc python-django-waffle-doc python-flask-paginate-doc python-hexbytes-doc
python-libevdev-doc python-model-bakery-doc python-pecan-doc python-pygtrie-doc python-pyxattr-doc
python-sorl-thumbnail-doc python-toolz-doc python-yenc-doc python3-ajax-select python3-avro python3-breathe
python3-cluster python3-d2to1 python3-dcmstack python3-django-channels python3-django-sass-processor
python3-dynamic-reconfigure python3-flask-api python3-geoalchemy2 python3-holidays python3-httpbin python3-iso8601
python3-lesscpy python3-mbed-host-tests python3-msrestazure python3-odf python3-packaging python3-phabricator
python3-py-zipkin python3-pylsp python3-pytest-doctestplus python3-refurb python3-saltpylint python3-soupsieve
python3-streamz python3-tooz python3-ttconv python3-ubuntutools python3-usb1 python3-wokkel python3-zlmdb q2cli
qcoro-doc rbenv rpmlint ruby-aws ruby-chronic ruby-diff-lcs ruby-ffi-rzmq ruby-graphviz ruby-jaeger-client
ruby-mime-types ruby-ntlm ruby-protocol-http2 ruby-regexp-parser ruby-selenium-webdriver ruby-test-prof
ruby-webpacker sat-xmpp-core schema2ldif scim-tables-additional semi seqan-needle-doc siconos-mechanics-tools
smarty-validate snd-gtk-pulse speedometer swift syncevolution-http systemctl towncrier
tryton-modules-analytic-invoice tryton-modules-purchase-history tryton-modules-stock-supply-day tuptime txt2man
upower-doc urlscan velvetoptimiser vim-airline-themes vim-tabular virtuoso-minimal vit watcher-common wims-lti
wmanx wsl xfonts-biznet-100dpi yasat`
    .trim()
    .split(/\s+/);
