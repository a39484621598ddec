<?php
/**
 * The check of HTTPS.
 *
 * @package PicketBridge
 */

/**
 * Requests pages without TLS.
 */
final class Picket_Bridge_Force_Https_Check extends Picket_Bridge_Check {

	/**
	 * Returns what the answer of a page without TLS means. The control plane has the same function, and its tests have
	 * examples for both.
	 *
	 * @param string $page     The page as it is shown.
	 * @param int    $status   The HTTP status.
	 * @param string $location Where it redirects to.
	 * @return array{status: string, evidence: string}
	 */
	public static function judge( string $page, int $status, string $location ): array {
		if ( $status >= 300 && $status < 400 && 0 === stripos( $location, 'https://' ) ) {
			return self::result( 'passing', "$page redirects to HTTPS with HTTP $status" );
		}
		if ( $status >= 200 && $status < 400 ) {
			return self::result( 'failing', "$page answers without TLS (HTTP $status)" );
		}
		return self::result( 'unknown', "$page answers without TLS with HTTP $status" );
	}

	/**
	 * Returns the address of the home page without TLS; null if it cannot be known, because the site has another port.
	 *
	 * @param string $home The URL of the home page.
	 */
	public static function plain_url( string $home ): ?string {
		if ( 0 !== strpos( $home, 'https://' ) ) {
			return $home;
		}
		return null === wp_parse_url( $home, PHP_URL_PORT ) ? 'http://' . substr( $home, 8 ) : null;
	}

	/**
	 * Measures it.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public function measure(): array {
		$plain = self::plain_url( Picket_Bridge_Connection::home() );
		if ( null === $plain ) {
			return self::result( 'unknown', 'the site has a port of its own, so its address without TLS is not known' );
		}
		$judged = array();
		foreach ( array( 'the home page' => '/', 'the log-in page' => '/wp-login.php' ) as $page => $path ) {
			$answer = Picket_Bridge_Self_Request::once( 'GET', $plain . $path );
			if ( is_wp_error( $answer ) ) {
				return self::unanswered( "$page without TLS", $answer );
			}
			$judged[] = self::judge( $page, $answer['status'], $answer['headers']['location'] ?? '' );
		}
		foreach ( array( 'failing', 'unknown' ) as $status ) {
			foreach ( $judged as $one ) {
				if ( $status === $one['status'] ) {
					return $one;
				}
			}
		}
		return $judged[0];
	}

	/**
	 * Returns why nothing can be redirected. WordPress itself must use HTTPS already: changing its addresses logs everybody out,
	 * and locks them out if the certificate is wrong.
	 */
	public function obstacle(): string {
		$home = Picket_Bridge_Connection::home();
		if ( ! $this->is_pasteable() ) {
			return 'The addresses of WordPress begin with http://. Set both to https:// under Settings → General, and see that you can log in.';
		}
		if ( null === self::plain_url( $home ) || null === self::host() ) {
			return 'The site has a port of its own, or WordPress and the home page have different hosts.';
		}
		return parent::obstacle();
	}

	/**
	 * Returns whether WordPress uses HTTPS already. Otherwise a redirect may be a loop.
	 */
	public function is_pasteable(): bool {
		return 0 === strpos( Picket_Bridge_Connection::home(), 'https://' ) && 0 === strpos( site_url(), 'https://' );
	}

	/**
	 * Returns the host of the site; null for one that is written in an unusual way, or if WordPress has another one.
	 */
	private static function host(): ?string {
		$host = (string) wp_parse_url( Picket_Bridge_Connection::home(), PHP_URL_HOST );
		$same = wp_parse_url( site_url(), PHP_URL_HOST ) === $host;
		return $same && 1 === preg_match( '/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/i', $host ) ? $host : null;
	}

	/**
	 * Returns the directives that redirect everything but what a certificate authority asks for. The host is that of the
	 * settings, not the one of the request. A proxy that ends TLS says so in a header.
	 *
	 * @return Picket_Bridge_Change[]
	 */
	public function changes(): array {
		$lines = static function (): array {
			return array(
				'RewriteEngine On',
				'RewriteCond %{HTTPS} !=on',
				'RewriteCond %{HTTP:X-Forwarded-Proto} !=https',
				'RewriteCond %{REQUEST_URI} !^/\.well-known/acme-challenge/',
				'RewriteRule ^ https://' . self::host() . '%{REQUEST_URI} [R=301,L]',
			);
		};
		return array( new Picket_Bridge_Htaccess_Block( 'force-https', ABSPATH, $lines ) );
	}
}
